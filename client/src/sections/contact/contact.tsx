import * as words from '#brand/words/contact.ts'
import * as formWords from '#brand/words/form.ts'
import { questions, title } from '#brand/words/questions.ts'
import { brand } from '#facts/brand.ts'
import { hours } from '#facts/hours.ts'
import type { Brand } from '#shared/fact-checks/facts.ts'
import { anchors } from '#shared/pages.ts'
import { ContactForm } from '../../contact/contact-form.tsx'
import { copyText } from '../../contact/copy-text.ts'
import { notify } from '../../contact/toasts.tsx'
import { breakable } from '../../ui/breakable.tsx'
import { DrawnBar } from '../../ui/drawn-bar.tsx'
import { keepTogether } from '../../ui/keep-together.tsx'
import { PlumbLine } from '../../ui/plumb-line.tsx'
import { Section } from '../../ui/section.tsx'
import textButton from '../../ui/text-button.module.css'
import styles from './contact.module.css'

export function Contact() {
  return (
    <Section id={anchors.contact} title={words.title} intro={words.intro}>
      <div className={`stack ${styles.columns}`}>
        <div className={styles.form}>
          <PlumbLine />
          <DrawnBar />
          <ContactForm />
        </div>
        <div className={`stack ${styles.aside}`}>
          <ContactInformation />
          <Questions />
        </div>
      </div>
    </Section>
  )
}

const { whoAnswers }: Brand = brand

/** How to reach us. */
export const ContactInformation = () => (
  <div className={styles.card}>
    <h3>{words.informationTitle}</h3>
    <dl className={styles.information}>
      {whoAnswers && (
        <div>
          <dt className="muted small">{words.whoAnswers}</dt>
          <dd>{whoAnswers}</dd>
        </div>
      )}
      <div>
        <dt className="muted small">{words.email}</dt>
        <dd>
          <a className="reach" href={`mailto:${brand.email}`}>
            {breakable(brand.email)}
          </a>
        </dd>
        <dd className={`row ${styles.promise} muted small`}>
          {words.emailPromise}
          <CopyAddress />
        </dd>
      </div>
      <div>
        <dt className="muted small">{words.phone}</dt>
        <dd>
          <a className="reach" href={`tel:${brand.phoneLink}`}>
            {brand.phone}
          </a>
        </dd>
        <dd className="muted small">{words.phonePromise}</dd>
      </div>
      <div>
        <dt className="muted small">{words.supportHours}</dt>
        <dd>{keepTogether(hours.text)}</dd>
        <dd className="muted small">{words.hoursPromise}</dd>
        <dd className="muted small">{words.workdaysOnly}</dd>
      </div>
    </dl>
  </div>
)

function CopyAddress() {
  const onClick = async () => {
    const isCopied = await copyText(brand.email)
    notify(isCopied ? formWords.addressCopied : formWords.addressNotCopied)
  }
  return (
    <button type="button" className={textButton.button} data-print="never" onClick={onClick}>
      {formWords.copyAddress}
    </button>
  )
}

export function Questions() {
  return (
    <div className={styles.card} id="questions">
      <h3>{title}</h3>
      {questions.map(({ question, answer }) => (
        <div key={question} className={styles.question}>
          <h4>{question}</h4>
          <p className="muted">{keepTogether(answer)}</p>
        </div>
      ))}
    </div>
  )
}
