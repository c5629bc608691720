import { Fragment } from 'react'

/** An email address that breaks only after its `@` and dots, if it has to. */
export const Address = ({ children }: { children: string }) => (
  <bdi>
    {(children.match(/[^@.]+[@.]*|[@.]+/g) ?? []).map((part, index) => (
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </bdi>
)

/** Says that a message came from another address. */
export const FromElsewhere = ({ address }: { address: string }) => (
  <>
    From <Address>{address}</Address>, not the address of the request
  </>
)
