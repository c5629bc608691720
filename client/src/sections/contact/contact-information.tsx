import * as words from '#brand/words/contact.ts'
import { brand } from '#facts/brand.ts'
import { hours } from '#facts/hours.ts'
import { CopyAddress } from '../../contact/copy-address.tsx'
import { Prerendered, rendersAll } from '../../ui/prerendered.tsx'
import styles from './contact.module.css'

export function ContactInformation() {
  return (
    <div className={styles.card}>
      <h3>{words.informationTitle}</h3>
      <dl className={styles.information}>
        <div>
          <dt>{words.email}</dt>
          <dd>
            <a href={`mailto:${brand.email}`}>{brand.email}</a>
          </dd>
          <dd className={styles.promise}>{words.emailPromise}</dd>
          <dd data-print="never">
            <CopyAddress />
          </dd>
        </div>
      </dl>
      <Prerendered id="phone-part">{rendersAll && <PhoneAndHours />}</Prerendered>
    </div>
  )
}

const PhoneAndHours = () => (
  <dl className={styles.information}>
    <div>
      <dt>{words.phone}</dt>
      <dd>
        <a href={`tel:${brand.phoneLink}`}>{brand.phone}</a>
      </dd>
      <dd className={styles.promise} data-office-hours="">
        {hours.text}
      </dd>
      <dd className={styles.promise}>{words.phonePromise}</dd>
    </div>
    <div>
      <dt>{words.supportHours}</dt>
      <dd>{hours.text}</dd>
      <dd className={styles.promise}>{words.hoursPromise}</dd>
      <dd className={styles.promise}>{words.workdaysOnly}</dd>
    </div>
  </dl>
)
