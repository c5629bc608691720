import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import { plans } from '#facts/plans.ts'
import { contactFields, detailFields } from '#shared/contact-request.ts'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { planName } from '#shared/inbox/plan-name.ts'
import { sourceInWords, typoInWords } from '#shared/inbox/words.ts'
import { formatMoney } from '#shared/money.ts'
import { telephoneLink } from '#shared/text/telephone-link.ts'
import { websiteLink } from '#shared/text/website-link.ts'
import { useNow } from '../data/timers.ts'
import { Address } from '../ui/address.tsx'
import { viewNames } from '../words/lead-words.ts'
import { moment } from '../words/times.ts'
import styles from './lead-facts.module.css'

/**
 * How to reach the person, and where the request came from. Where there is no room beside the
 * conversation, a line or two of it, and a button that shows the rest.
 */
export function LeadFacts({ lead }: { lead: LeadDetail }) {
  const [isOpen, setIsOpen] = useState(false)
  const typo = typoInWords(lead.email)
  return (
    <section className={styles.facts} aria-label="Details" data-open={isOpen}>
      <div className={`row ${styles.short}`}>
        <p className="row">
          {lead.phone && <bdi>{lead.phone}</bdi>}
          <Address>{lead.email}</Address>
          <span>{planName(lead.budget)}</span>
        </p>
        <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          Details
        </button>
      </div>
      {typo && <p className="error">{typo}</p>}
      <div className={`stack ${styles.all}`}>
        <AllFacts lead={lead} />
        <EarlierRequests others={lead.others} />
      </div>
    </section>
  )
}

function AllFacts({ lead }: { lead: LeadDetail }) {
  const now = useNow()
  const { email, phone } = lead
  const call = telephoneLink(phone)
  const link = websiteLink(lead.website)
  const source = sourceInWords(lead.source)
  return (
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
      </Fact>
      <Fact name="Plan">{planInWords(lead.budget)}</Fact>
      {detailFields
        .filter((field) => field !== 'phone' && lead[field])
        .map((field) => (
          <Fact key={field} name={contactFields[field].label}>
            {field === 'website' && link ? <Website link={link} /> : <bdi>{lead[field]}</bdi>}
          </Fact>
        ))}
      {source && <Fact name="Source">{source}</Fact>}
      <Fact name="Asked">{moment(lead.receivedAt, now)}</Fact>
    </dl>
  )
}

/** "Growth, $2,400 setup and $89 a month". */
function planInWords(budget: string): string {
  const plan = plans.find(({ id }) => id === budget)
  const price = plan ? `, ${formatMoney(plan.setup)} setup and ${formatMoney(plan.monthly)} a month` : ''
  return planName(budget) + price
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
