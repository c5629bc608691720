export const skip = 'Skip to content'
export const menu = 'Menu'
export const navigation = 'Main'
export const entries = {
  services: 'Services',
  pricing: 'Pricing',
  portfolio: 'Portfolio',
  contact: 'Contact',
}
export const getQuote = 'Get Quote'
export const call = 'Call'
export const callBar = 'Call or get a quote'
