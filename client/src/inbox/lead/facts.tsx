import type { ReactNode } from 'react'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { sourceInWords, typoInWords } from '#shared/inbox/words.ts'
import { telephoneLink } from '#shared/telephone-link.ts'
import { websiteLink } from '#shared/website-link.ts'
import { moment } from '../words/times.ts'
import { useNow } from '../words/use-now.ts'
import styles from './facts.module.css'

/** How to reach the person, and where the request came from. */
export function Facts({ lead }: { lead: LeadDetail }) {
  const now = useNow()
  const { email, phone, company, website } = lead
  const call = telephoneLink(phone)
  const link = websiteLink(website)
  const typo = typoInWords(email)
  const source = sourceInWords(lead.source)
  return (
    <dl className={styles.facts}>
      {phone && (
        <Fact name="Phone">
          <bdi>{call ? <a href={call}>{phone}</a> : phone}</bdi>
        </Fact>
      )}
      <Fact name="Email">
        <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>{email}</a>
        {typo && <p>{typo}</p>}
      </Fact>
      {company && (
        <Fact name="Company">
          <bdi>{company}</bdi>
        </Fact>
      )}
      {website && (
        <Fact name="Website">
          {link ? (
            <a href={link} target="_blank" rel="noopener noreferrer nofollow">
              <bdi>{website.replace(/^https?:\/\/(www\.)?|\/$/g, '')}</bdi>
              <span className="visually-hidden"> (opens a new tab)</span>
            </a>
          ) : (
            <bdi>{website}</bdi>
          )}
        </Fact>
      )}
      {source && <Fact name="Source">{source}</Fact>}
      <Fact name="Asked">{moment(lead.receivedAt, now)}</Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
