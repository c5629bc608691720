import { type ReactNode, useContext, useState } from 'react'
import { IsHydrating } from './is-hydrating.tsx'
import styles from './prerendered.module.css'

/** Whether `Prerendered` renders its content: true when prerendering and in development, false in the browser's build. */
export const rendersAll: boolean = import.meta.env.SSR || import.meta.env.DEV

type Props = { id: string; children: ReactNode }

/**
 * A part of the page that never changes in the browser. Pass `rendersAll && <Part />` as the child. The build for
 * browsers then keeps the prerendered HTML and leaves out the part's code, which saves about 10 kB in all.
 */
export function Prerendered({ id, children }: Props) {
  const isHydrating = useContext(IsHydrating)
  // If React has to render the page again, this moves the prerendered nodes into the new page. Trusted Types forbid
  // `innerHTML`.
  const [moveNodes] = useState(() => {
    const nodes = isHydrating ? [] : [...(document.getElementById(id)?.childNodes ?? [])]
    return (part: HTMLElement | null) => part?.append(...nodes)
  })
  if (children)
    return (
      <div id={id} className={styles.part}>
        {children}
      </div>
    )
  return (
    <div
      id={id}
      ref={moveNodes}
      className={styles.part}
      // Tells React to leave the content alone.
      dangerouslySetInnerHTML={isHydrating ? { __html: '' } : undefined}
      suppressHydrationWarning
    />
  )
}
