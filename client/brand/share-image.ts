import { brand } from '#facts/brand.ts'
import { mark } from './mark.ts'
import { price, services } from './words/share-image.ts'

type Parts = {
  colors: Record<'background' | 'text' | 'muted' | 'accent' | 'line', string>
  /** WOFF2 files in base64. */
  fonts: { display: string; text: string }
  /** The logo's SVG paths. */
  logo: string
}

/**
 * The HTML that `npm run brand` captures as the share image, at 1200 by 630 pixels. Some programs
 * crop it to its middle square, so everything that matters is within 540 pixels around the center.
 */
export const shareImage = ({ colors, fonts, logo }: Parts): string => `<style>
    @font-face { font-family: D; font-weight: 200 800; src: url(data:font/woff2;base64,${fonts.display}) }
    @font-face { font-family: T; font-weight: 400 700; src: url(data:font/woff2;base64,${fonts.text}) }
    * { box-sizing: border-box; margin: 0 }
    body { display: grid; align-content: center; justify-items: center; height: 630px; background: ${colors.background}; color: ${colors.text}; font: 30px/1.3 T; text-align: center }
    .line { position: absolute; left: 599px; top: 0; height: 30px; border-left: 2px solid ${colors.text} }
    .bob { position: absolute; left: 582px; top: 18px; width: 36px }
    b { font: 700 34px D; letter-spacing: -.02em }
    h1 { padding: 16px 0 22px; font: 700 112px/1 D; letter-spacing: -.035em }
    em { color: ${colors.accent}; font-style: normal }
    p { color: ${colors.muted} }
    .price { position: relative; width: 540px; margin-top: 30px; padding-top: 26px; color: ${colors.text}; font: 700 37px/1.2 D; letter-spacing: -.02em }
    .price::before { content: ""; position: absolute; inset: 9px 0 auto; border-top: 2px solid ${colors.line} }
    .price::after { content: ""; position: absolute; inset: 0 0 auto; height: 20px; border: solid ${colors.line}; border-width: 0 2px }
  </style>
  <i class="line"></i><svg class="bob" viewBox="0 0 ${mark.width} ${mark.height}">${logo}</svg>
  <b>${brand.name}</b>
  <h1>${brand.slogan.replace(' ', '<br>').replace(/\S+$/, '<em>$&</em>')}.</h1>
  <p>${services}</p>
  <p class="price">${price}</p>`
