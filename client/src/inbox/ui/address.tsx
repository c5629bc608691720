import { Fragment } from 'react'
import { breakableParts } from '../../ui/breakable.tsx'
import styles from './address.module.css'

// A longer part would not fit on a phone.
const MAX_WHOLE = 24

/** An email address that breaks only after its `@` and dots, if it has to. */
export const Address = ({ children }: { children: string }) => (
  <bdi>
    {breakableParts(children).map((part, index) => (
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part.length > MAX_WHOLE ? part : <span className={styles.part}>{part}</span>}
      </Fragment>
    ))}
  </bdi>
)

/** A text of the page. The email addresses in it break like `Address`. */
export const WithAddresses = ({ children }: { children: string }) =>
  children
    .split(/([^\s<>:,;"“”]+@[^\s<>:,;"“”]+)/)
    .map((part, index) =>
      part.includes('@') ? <Address key={index}>{part}</Address> : <span key={index}>{part}</span>,
    )

/** Says that a message came from another address, or from an unknown one, which is empty. */
export const FromElsewhere = ({ address }: { address: string }) => (
  <>From {address ? <Address>{address}</Address> : 'an unknown address'}, not the address of the request</>
)
