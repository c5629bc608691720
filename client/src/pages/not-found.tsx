import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import * as words from '#brand/words/not-found.ts'
import { pages } from '#shared/pages.ts'
import { Footer } from '../sections/footer/footer.tsx'
import { Header } from '../sections/header/header.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Prerendered, rendersAll } from '../ui/prerendered.tsx'
import { LeaningPost } from './leaning-post.tsx'
import styles from './not-found.module.css'

export function NotFound() {
  const { pathname } = useLocation()

  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: helps to find broken links.
    console.error(`404: there is no page at ${pathname}`)
  }, [pathname])

  return (
    <>
      <Header anchorBase={pages.home} />
      <main id="main" className={styles.main}>
        <Prerendered id="not-found-part">{rendersAll && <Content />}</Prerendered>
      </main>
      <Prerendered id="footer-part">{rendersAll && <Footer anchorBase={pages.home} />}</Prerendered>
    </>
  )
}

const Content = () => (
  <>
    <div>
      <p className={styles.code}>{words.code}</p>
      <h1>{words.title}</h1>
      <p className={styles.lead}>{words.lead}</p>
      <ButtonLink href={pages.home}>{words.returnHome}</ButtonLink>
    </div>
    <LeaningPost className={styles.drawing} />
  </>
)
