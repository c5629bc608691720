import { Toasts } from '../contact/toasts.tsx'
import { CallBar } from '../sections/call-bar/call-bar.tsx'
import { Contact } from '../sections/contact/contact.tsx'
import { Footer } from '../sections/footer/footer.tsx'
import { Header, Letterhead } from '../sections/header/header.tsx'
import { Hero } from '../sections/hero/hero.tsx'
import { Portfolio } from '../sections/portfolio/portfolio.tsx'
import { Pricing } from '../sections/pricing/pricing.tsx'
import { Services } from '../sections/services/services.tsx'

export const Home = () => (
  <>
    <Header anchorBase="" />
    <main id="main">
      <Letterhead />
      <Hero />
      <Services />
      <Pricing />
      <Portfolio />
      <Contact />
    </main>
    <Footer anchorBase="" />
    <CallBar />
    <Toasts />
  </>
)
