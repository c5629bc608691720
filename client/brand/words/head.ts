import { brand } from '#facts/brand.ts'
import { promises } from '#facts/promises.ts'

export const title = `Small Business Web Design, SEO & Hosting | ${brand.name}`
export const description = `${brand.offer} for owners who would rather be on the job. Live in ${promises.buildTime}, ${promises.uptime} uptime, a free quote within ${promises.quote}.`
/** Describes the share image. */
export const imageText = `${brand.name}: ${brand.slogan.toLowerCase()}`
