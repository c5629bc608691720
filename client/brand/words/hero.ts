import { brand } from '#shared/business/brand.ts'
import { promises } from '#shared/business/promises.ts'

const sloganWords = brand.slogan.split(' ')

/** The heading: `accent` is orange and begins the second line. */
export const accent = sloganWords.pop()
export const beforeAccent = `${sloganWords.join(' ')} `
export const afterAccent = ', for people who build things.'

// One text node: with several, a font switch that changes the line breaks counts as a layout shift.
export const lead = `We design, host and look after websites for ${brand.audience}. One setup price, one monthly price, and a ${promises.response.toLowerCase()} from a person.`
export const getQuote = 'Get Your Quote Now'
export const viewWork = 'View Our Work'

/** Also on the share image. */
export const figures = [
  { figure: promises.buildTime, label: 'to build your site' },
  { figure: promises.quote, label: 'to your free quote' },
  { figure: promises.uptime, label: 'uptime, in every plan' },
]
