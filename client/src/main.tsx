import './styles/global.css'
import { holdEarlySubmit } from './contact/early-submit.ts'

const form = document.querySelector('form')
const sendWithoutScript = form ? holdEarlySubmit(form) : () => {}

// The page can be read and used as it comes. Asked for before the first paint, the application would share the line
// with the document and the fonts: on a simulated slow phone that costs half a second.
requestAnimationFrame(() => setTimeout(() => import('./hydrate.tsx').catch(sendWithoutScript)))
