import { Toasts } from '../contact/toasts.tsx'
import { CallBar } from '../sections/call-bar/call-bar.tsx'
import { Contact } from '../sections/contact/contact.tsx'
import { Letterhead } from '../sections/header/header.tsx'
import { Hero } from '../sections/hero/hero.tsx'
import { Portfolio } from '../sections/portfolio/portfolio.tsx'
import { Pricing } from '../sections/pricing/pricing.tsx'
import { Services } from '../sections/services/services.tsx'
import { LateStyles } from '../ui/late-styles.tsx'

export const Home = () => (
  <>
    <main id="main">
      <Letterhead />
      <Hero />
      <LateStyles />
      <Services />
      <Pricing />
      <Portfolio />
      <Contact />
    </main>
    <CallBar />
    <Toasts />
  </>
)
