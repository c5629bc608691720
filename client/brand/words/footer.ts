import { brand } from '#shared/business/brand.ts'

export const slogan = `${brand.slogan}.`
export const place = `${brand.city}, ${brand.region}`
export const services = 'Services'
export const company = 'Company'
export const pricing = 'Plans and prices'
export const portfolio = 'Sample work'
export const questions = 'Questions, answered'
export const quote = 'Ask for a quote'
export const contact = 'Contact'
export const privacy = 'This page sets no cookies and loads nothing from elsewhere.'
