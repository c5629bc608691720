import { pages } from '#shared/pages.ts'
import { Footer } from '../sections/footer/footer.tsx'
import { Header } from '../sections/header/header.tsx'
import { Prerendered, rendersAll } from '../ui/prerendered.tsx'
import { PrivacyText } from './privacy-text.tsx'

export const Privacy = () => (
  <>
    <Header anchorBase={pages.home} />
    <main id="main">
      <Prerendered id="privacy-part">{rendersAll && <PrivacyText />}</Prerendered>
    </main>
    <Prerendered id="footer-part">{rendersAll && <Footer anchorBase={pages.home} />}</Prerendered>
  </>
)
