/*
 * What visitors see first of the home page; on a phone, nothing else. client/build.ts inlines the
 * styles of these parts in the document, because the style sheet is linked below them
 * (ui/late-styles.tsx).
 */
import './styles/global.css'

export * from './sections/header/header.tsx'
export * from './sections/hero/hero.tsx'
