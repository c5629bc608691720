import { brand } from '../../facts/brand.ts'

export const slogan = `${brand.slogan}!`
export const place = brand.city
export const services = 'What we do'
export const company = 'About'
export const pricing = 'Plans'
export const portfolio = 'Our shops'
export const questions = 'Answers'
export const quote = 'Ask for a price'
export const contact = 'Reach us'
export const copyright = `© ${new Date().getFullYear()} ${brand.legalName}`
export const noTrackers = 'Nobody follows you here.'
export const privacy = 'Your data'
