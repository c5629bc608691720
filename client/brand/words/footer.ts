import { brand } from '#facts/brand.ts'

export const slogan = `${brand.slogan}.`
export const place = `${brand.city}, ${brand.region}`
export const services = 'Services'
export const company = 'Company'
export const pricing = 'Plans and prices'
export const portfolio = 'Sample work'
export const questions = 'Questions, answered'
export const quote = 'Ask for a quote'
export const contact = 'Contact'
/** The year in which the page was built. */
export const copyright = `© ${new Date().getFullYear()} ${brand.legalName}`
export const noTrackers = 'No cookies. No trackers.'
export const privacy = 'Privacy'
