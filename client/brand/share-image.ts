import { brand } from '#facts/brand.ts'
import { mark } from './mark.ts'
import { figures } from './words/hero.ts'

type Parts = {
  colors: Record<'background' | 'text' | 'muted' | 'accent' | 'line', string>
  /** WOFF2 files in base64. */
  fonts: { display: string; text: string }
  /** The logo's SVG paths. */
  logo: string
}

/** The HTML that `npm run brand` captures as the share image, at 1200 by 630 pixels. */
export const shareImage = ({ colors, fonts, logo }: Parts): string => `<style>
    @font-face { font-family: D; font-weight: 200 800; src: url(data:font/woff2;base64,${fonts.display}) }
    @font-face { font-family: T; font-weight: 400 700; src: url(data:font/woff2;base64,${fonts.text}) }
    * { box-sizing: border-box; margin: 0 }
    body { height: 630px; padding: 72px 80px 0 176px; background: ${colors.background}; color: ${colors.text}; font: 26px/1.3 T }
    .line { position: absolute; left: 103px; top: 0; height: 430px; border-left: 2px solid ${colors.text} }
    .bob { position: absolute; left: 74px; top: 396px; width: 60px }
    b { font: 700 36px D; letter-spacing: -.02em }
    h1 { padding: 56px 0 60px; font: 700 104px/1 D; letter-spacing: -.035em }
    em { color: ${colors.accent}; font-style: normal }
    div { display: flex; gap: 32px }
    p { width: 270px; color: ${colors.muted} }
    p b { display: block; position: relative; margin-bottom: 14px; padding-bottom: 22px; color: ${colors.text} }
    p b::before { content: ""; position: absolute; inset: auto 0 8px; border-top: 2px solid ${colors.line} }
    p b::after { content: ""; position: absolute; inset: auto 0 0; height: 18px; border: solid ${colors.line}; border-width: 0 2px }
  </style>
  <i class="line"></i><svg class="bob" viewBox="0 0 ${mark.width} ${mark.height}">${logo}</svg>
  <b>${brand.name}</b>
  <h1>${brand.slogan.replace(' ', '<br>').replace(/\S+$/, '<em>$&</em>')}.</h1>
  <div>${figures.map(({ figure, label }) => `<p><b>${figure}</b>${label}</p>`).join('')}</div>`
