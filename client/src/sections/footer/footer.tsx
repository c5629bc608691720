import { services } from '#brand/words/services.ts'
import { brand, hours } from '#shared/business/plans.ts'
import { anchors } from '#shared/pages.ts'
import { Bob } from '../../ui/mark.tsx'
import styles from './footer.module.css'
import { FooterColumn } from './footer-column.tsx'

type Props = { anchorBase: string }

export function Footer({ anchorBase }: Props) {
  return (
    <footer className={styles.footer}>
      <div className={styles.columns}>
        <div>
          <p className={styles.brand}>
            <Bob className={styles.bob} />
            {brand.name}
          </p>
          <p>{brand.slogan}.</p>
          <p>
            {brand.city}, {brand.region}
          </p>
        </div>
        <FooterColumn
          title="Services"
          links={services.map(({ id, title }) => ({ href: `${anchorBase}#${id}`, text: title }))}
        />
        <FooterColumn
          title="Company"
          links={[
            { href: `${anchorBase}#${anchors.pricing}`, text: 'Plans and prices' },
            { href: `${anchorBase}#${anchors.portfolio}`, text: 'Sample work' },
            { href: `${anchorBase}#questions`, text: 'Questions, answered' },
            { href: `${anchorBase}#${anchors.contact}`, text: 'Ask for a quote' },
          ]}
        />
        <FooterColumn
          title="Contact"
          links={[
            { href: `mailto:${brand.email}`, text: brand.email },
            { href: `tel:${brand.phoneLink}`, text: brand.phone },
          ]}
        >
          <p>{hours.text}</p>
          <p>{hours.emergency}</p>
        </FooterColumn>
      </div>
      <p className={styles.close}>
        <span>{brand.legalName}</span>
        <span>This page sets no cookies and loads nothing from elsewhere.</span>
      </p>
    </footer>
  )
}
