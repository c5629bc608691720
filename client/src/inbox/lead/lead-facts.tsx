import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import { planPrice } from '#shared/budget-tiers.ts'
import { contactFields, detailFields } from '#shared/contact-request.ts'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { planName } from '#shared/inbox/plan-name.ts'
import { sourceInWords, typoInWords } from '#shared/inbox/words.ts'
import { telephoneLink } from '#shared/text/telephone-link.ts'
import { websiteLink } from '#shared/text/website-link.ts'
import { useNow } from '../data/timers.ts'
import { Address } from '../ui/address.tsx'
import { viewNames } from '../words/row-words.ts'
import { moment } from '../words/times.ts'
import styles from './lead-facts.module.css'

/**
 * How to reach the person, and where the request came from. Where there is no room beside the
 * conversation, only the first facts show until the owner asks for the others.
 */
export function LeadFacts({ lead }: { lead: LeadDetail }) {
  const [isOpen, setIsOpen] = useState(false)
  const { email, phone } = lead
  const call = telephoneLink(phone)
  const link = websiteLink(lead.website)
  const typo = typoInWords(email)
  const source = sourceInWords(lead.source)
  const price = planPrice(lead.budget)
  return (
    <section className={`row ${styles.facts}`} aria-label="Details" data-open={isOpen}>
      <dl className="lines">
        {phone && (
          <Fact name="Phone">
            <bdi>{call ? <a href={call}>{phone}</a> : phone}</bdi>
          </Fact>
        )}
        <Fact name="Email">
          <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>
            <Address>{email}</Address>
          </a>
          {typo && <p>{typo}</p>}
        </Fact>
        <Fact name="Plan">
          {planName(lead.budget)}
          <span className={styles.price}>{price && `, ${price}`}</span>
        </Fact>
        {detailFields
          .filter((field) => field !== 'phone' && lead[field])
          .map((field) => (
            <Fact key={field} name={contactFields[field].label}>
              {field === 'website' && link ? <Website link={link} /> : <bdi>{lead[field]}</bdi>}
            </Fact>
          ))}
        {source && <Fact name="Source">{source}</Fact>}
        <Fact name="Reference">{lead.reference}</Fact>
      </dl>
      <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        Details
      </button>
      <EarlierRequests others={lead.others} />
    </section>
  )
}

const Website = ({ link }: { link: string }) => (
  <a href={link} target="_blank" rel="noopener noreferrer nofollow">
    <Address>{link.replace(/^https?:\/\/(www\.)?|\/$/g, '')}</Address>
    <span className="visually-hidden"> (opens a new tab)</span>
  </a>
)

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="row">
      <dt className="muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The other requests from the same address. */
function EarlierRequests({ others }: Pick<LeadDetail, 'others'>) {
  const now = useNow()
  if (others.length === 0) return null
  return (
    <section>
      <h2>From the same person</h2>
      <ul className="lines">
        {others.map(({ reference, receivedAt, state, result }) => (
          <li key={reference} className="between">
            <Link to={`${inboxPath}/${reference}`}>{moment(receivedAt, now)}</Link>
            <span>{viewNames[result ?? state]}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
