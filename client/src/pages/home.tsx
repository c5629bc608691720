import { useEffect } from 'react'
import { Toasts } from '../contact/toasts.tsx'
import { CallBar } from '../sections/call-bar/call-bar.tsx'
import { watchCallBar } from '../sections/call-bar/watch-call-bar.ts'
import { Contact } from '../sections/contact/contact.tsx'
import { Footer } from '../sections/footer/footer.tsx'
import { Header } from '../sections/header/header.tsx'
import { Hero } from '../sections/hero/hero.tsx'
import { Letterhead } from '../sections/letterhead/letterhead.tsx'
import { Portfolio } from '../sections/portfolio/portfolio.tsx'
import { Pricing } from '../sections/pricing/pricing.tsx'
import { Services } from '../sections/services/services.tsx'
import { Prerendered, rendersAll } from '../ui/prerendered.tsx'
import styles from './home.module.css'

export function Home() {
  useEffect(watchCallBar, [])
  return (
    <>
      <Header anchorBase="" />
      <main id="main" className={styles.main}>
        <Prerendered id="hero-part">
          {rendersAll && (
            <>
              <Letterhead />
              <Hero />
            </>
          )}
        </Prerendered>
        <Prerendered id="services-part">{rendersAll && <Services />}</Prerendered>
        <Pricing />
        <Prerendered id="portfolio-part">{rendersAll && <Portfolio />}</Prerendered>
        <Contact />
      </main>
      <Prerendered id="footer-part">{rendersAll && <Footer anchorBase="" />}</Prerendered>
      <Prerendered id="call-bar-part">{rendersAll && <CallBar />}</Prerendered>
      <Toasts />
    </>
  )
}
