/*
 * What visitors see first of the home page. client/build.ts inlines the styles of these parts in the document, because the
 * style sheet loads only after the first paint.
 */
import './styles/global.css'

export * from './sections/header/header.tsx'
export * from './sections/hero/hero.tsx'
export * from './sections/services/services.tsx'
