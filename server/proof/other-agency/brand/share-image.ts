import { brand } from '../facts/brand.ts'

type Parts = {
  colors: Record<'background' | 'text' | 'muted' | 'accent' | 'line', string>
  fonts: { display: string; text: string }
  logo: string
}

export const shareImage = ({ colors, logo }: Parts): string => `<style>
    body { margin: 0; padding: 120px; background: ${colors.background}; color: ${colors.text}; font: 60px/1.3 sans-serif }
    svg { width: 80px }
  </style>
  <svg viewBox="0 0 20 36">${logo}</svg><b>${brand.name}</b><p>${brand.slogan}</p>`
