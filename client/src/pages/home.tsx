import { Toasts } from '../contact/toasts.tsx'
import { Contact } from '../sections/contact/contact.tsx'
import { Footer } from '../sections/footer/footer.tsx'
import { Header } from '../sections/header/header.tsx'
import { Hero } from '../sections/hero/hero.tsx'
import { Portfolio } from '../sections/portfolio/portfolio.tsx'
import { Pricing } from '../sections/pricing/pricing.tsx'
import { Services } from '../sections/services/services.tsx'
import styles from './home.module.css'

export function Home() {
  return (
    <>
      <Header anchorBase="" />
      <main id="main" className={styles.main}>
        <Hero />
        <Services />
        <Pricing />
        <Portfolio />
        <Contact />
      </main>
      <Footer anchorBase="" />
      <Toasts />
    </>
  )
}
