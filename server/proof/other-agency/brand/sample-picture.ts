/** The sample shop's logo and the picture behind its headline. */
export const samplePicture = {
  logo: 'M24 43h18l-3-8H27z',
  hills: 'M18 178l40-10 50 8 35-6',
  roof: 'M143 160H90v46h53z',
  shingles: 'M96 166h40M96 176h40M96 186h40M96 196h40',
} as const
