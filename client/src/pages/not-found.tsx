import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { pages } from '#shared/pages.ts'
import { Footer } from '../sections/footer/footer.tsx'
import { Header } from '../sections/header/header.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
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
        <div>
          <p className={styles.code}>Error 404</p>
          <h1>Oops! Page not found</h1>
          <p className={styles.lead}>
            This address is out of true: nothing stands here. The rest of the site is plumb.
          </p>
          <ButtonLink href={pages.home}>Return to Home</ButtonLink>
        </div>
        <LeaningPost className={styles.drawing} />
      </main>
      <Footer anchorBase={pages.home} />
    </>
  )
}
