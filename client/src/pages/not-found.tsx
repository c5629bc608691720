import { useEffect } from 'react'
import * as words from '#brand/words/not-found.ts'
import { pages } from '#shared/pages.ts'
import { ButtonLink } from '../ui/button.tsx'
import drawing from '../ui/drawing.module.css'
import styles from './not-found.module.css'

export function NotFound() {
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: helps to find broken links.
    console.error(`404: there is no page at ${location.pathname}`)
  }, [])

  return (
    <main id="main" className={`${styles.main} page`}>
      <div>
        <p className={`${styles.code} muted`}>{words.code}</p>
        <h1>{words.title}</h1>
        <p className="lead muted">{words.lead}</p>
        <ButtonLink href={pages.home}>{words.returnHome}</ButtonLink>
      </div>
      <LeaningPost />
    </main>
  )
}

const hatch = Array.from({ length: 12 }, (_, index) => `M${44 + index * 34} 364l14-14`).join('')
const frame =
  'M60 112L202 34l142 78zM90 112l112-61 112 61zM56 112h292v18H56zM80 350V130h18v220M193 350V130h18v220'
const struts = 'M202 51v61M146 81v31M258 81v31M98 178l34-48M98 194l45-64M193 178l-34-48M193 194l-45-64'

/** A wood frame with one post that leans 4.04 degrees, like error 404, next to a plumb line. */
const LeaningPost = () => (
  <svg viewBox="0 0 480 390" width="544" height="442" fill="none" aria-hidden="true">
    <path className={drawing.strong} d={`${frame}M300 350l15.5-220h18L318 350`} />
    <path className={drawing.line} d={`${struts}M98 246h95M98 258h95M24 350h432${hatch}`} />
    <path className={drawing.line} strokeDasharray="14 4 3 4" d="M300 350V130" />
    <path stroke="var(--color-text)" strokeWidth="1.5" d="M358 112v168M348 112h20" />
    <path fill="var(--color-action)" d="M352 280h12v5h6v16l-12 26-12-26v-16h6z" />
    <path className={drawing.line} d="M330 190l66-34h62" />
    <circle fill="var(--color-line)" cx="330" cy="190" r="3.5" />
    <text fill="var(--color-line)" fontSize="24" fontWeight="600" x="400" y="146">
      {words.angle}
    </text>
  </svg>
)
