import * as words from '#brand/words/contact.ts'
import { anchors } from '#shared/pages.ts'
import { ContactForm } from '../../contact/contact-form.tsx'
import { PlumbLine } from '../../ui/plumb-line.tsx'
import { Prerendered, rendersAll } from '../../ui/prerendered.tsx'
import { Section } from '../../ui/section.tsx'
import styles from './contact.module.css'
import { ContactInformation } from './contact-information.tsx'
import { Questions } from './questions.tsx'

export function Contact() {
  return (
    <Section id={anchors.contact} title={words.title} intro={words.intro}>
      <div className={styles.columns}>
        <div className={styles.form}>
          <PlumbLine />
          <ContactForm />
        </div>
        <div className={styles.aside}>
          <ContactInformation />
          <Prerendered id="questions-part">{rendersAll && <Questions />}</Prerendered>
        </div>
      </div>
    </Section>
  )
}
