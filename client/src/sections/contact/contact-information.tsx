import { brand, hours, promises } from '#shared/business/plans.ts'
import { CopyAddress } from '../../contact/copy-address.tsx'
import styles from './contact.module.css'

export function ContactInformation() {
  return (
    <div className={styles.card}>
      <h3>Contact information</h3>
      <dl className={styles.information}>
        <div>
          <dt>Email</dt>
          <dd>
            <a href={`mailto:${brand.email}`}>{brand.email}</a>
            <CopyAddress />
          </dd>
          <dd className={styles.promise}>Reply within {promises.emailReply}</dd>
        </div>
        <div>
          <dt>Phone</dt>
          <dd>
            <a href={`tel:${brand.phoneLink}`}>{brand.phone}</a>
          </dd>
          <dd className={styles.promise}>{promises.response}</dd>
        </div>
        <div>
          <dt>Support hours</dt>
          <dd>{hours.text}</dd>
          <dd className={styles.promise}>{hours.emergency}</dd>
        </div>
      </dl>
    </div>
  )
}
