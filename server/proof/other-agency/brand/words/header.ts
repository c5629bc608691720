export const skip = 'Straight to the content'
export const menu = 'Contents'
export const navigation = 'Site'
export const entries = {
  services: 'What we do',
  pricing: 'Plans',
  portfolio: 'Our shops',
  contact: 'Reach us',
}
export const getQuote = 'Ask for a price'
export const call = 'Ring'
export const callBar = 'Ring us or ask for a price'
