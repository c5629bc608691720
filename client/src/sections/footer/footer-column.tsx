import type { ReactNode } from 'react'

type Props = { title: string; links: { href: string; text: string }[]; children?: ReactNode }

export function FooterColumn({ title, links, children }: Props) {
  return (
    <div>
      <h2>{title}</h2>
      <ul>
        {links.map(({ href, text }) => (
          <li key={href}>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
      {children}
    </div>
  )
}
