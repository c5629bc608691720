/*
 * What visitors see first of the home page; on a phone, only the hero. client/build.ts inlines the
 * styles of these parts in each document. All others are in the style sheet, which the home page
 * links below the hero (ui/late-styles.tsx), but browsers such as Firefox also paint what follows
 * before it has come.
 */
import './styles/global.css'

export * from './sections/header/header.tsx'
export * from './sections/hero/hero.tsx'
export * from './sections/services/services.tsx'
