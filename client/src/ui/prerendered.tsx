import { type ReactNode, useState } from 'react'
import styles from './prerendered.module.css'

/** Whether `Prerendered` renders its content: true when prerendering and in development, false in the browser's build. */
export const rendersAll: boolean = import.meta.env.SSR || import.meta.env.DEV

type Props = { id: string; children: ReactNode }

/**
 * A part of the page that never changes in the browser. Pass `rendersAll && <Part />` as the child. The build for
 * browsers then keeps the prerendered HTML and leaves out the part's code, which saves about 10 kB in all.
 */
export function Prerendered({ id, children }: Props) {
  // React may need this HTML to render the page again, for example after an extension has changed the document.
  const [html] = useState(() => (rendersAll ? '' : (document.getElementById(id)?.innerHTML ?? '')))
  if (children)
    return (
      <div id={id} className={styles.part}>
        {children}
      </div>
    )
  return (
    <div
      id={id}
      className={styles.part}
      dangerouslySetInnerHTML={{ __html: html }}
      suppressHydrationWarning
    />
  )
}
