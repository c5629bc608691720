import { useEffect, useState } from 'react'
import { brand } from '#facts/brand.ts'
import { CODE_ELSEWHERE, showCode } from '#shared/inbox/api.ts'
import { Button } from '../../ui/button.tsx'
import { Mark } from '../../ui/mark.tsx'
import type { ApiError } from '../data/api.ts'
import { redeemCode, redeemLink } from '../data/sign-in.ts'
import { focusHeading } from '../ui/focus.ts'
import styles from './sign-in.module.css'
import { SignInForm } from './sign-in-form.tsx'

type Link = {
  error?: string
  /** The code that another browser has to redeem. */
  code?: string | undefined
  onClose: () => void
}

/** The page for people who aren't signed in, or who have opened a sign-in link. */
export function SignInPage({ link }: { link?: Link }) {
  useEffect(() => {
    document.title = `Sign in: ${brand.name}`
    // What had the focus is gone then.
    return focusHeading
  }, [!link])
  return (
    <main className={`stack ${styles.page}`}>
      <p className={`muted ${styles.brand}`}>
        <Mark className={styles.bob} /> {brand.name} inbox
      </p>
      {link ? (
        <OpenedLink {...link} />
      ) : (
        <>
          <h1>Sign in</h1>
          <SignInForm />
        </>
      )}
    </main>
  )
}

function OpenedLink({ error, code, onClose }: Link) {
  if (!error) return <p role="status">Signing in…</p>
  return (
    <>
      <h1>{code ? 'Your code' : 'This link does not work'}</h1>
      {code && <p className={styles.code}>{showCode(code)}</p>}
      <p role="alert">{error}</p>
      <Button kind="plain" onClick={onClose}>
        Continue in this browser
      </Button>
    </>
  )
}

const redeemers = new Map([
  ['code', redeemCode],
  ['link', redeemLink],
])

/** Takes a sign-in code, or the secret of a sign-in link, out of what follows the # in the URL. */
function takeSecret() {
  const [way = '', secret = ''] = location.hash.slice(1).split('=')
  const redeem = redeemers.get(way)
  if (!redeem) return
  history.replaceState(history.state, '', location.pathname + location.search)
  return { redeem, secret }
}

// Taken before the router reads the URL.
let opened = takeSecret()

/**
 * If the page was opened with a sign-in code or link, redeems it. Mail programs often
 * open links in their own browser, which can't redeem a code that another browser
 * requested. In that case, `code` is what the owner types in the other browser.
 */
export function useOpenedLink(): Link | undefined {
  const [link, setLink] = useState<Omit<Link, 'onClose'> | undefined>(opened && {})
  useEffect(() => {
    const redeemOpened = () => {
      if (!opened) return
      const { redeem, secret } = opened
      opened = undefined
      setLink({})
      redeem(secret).then(
        () => setLink(undefined),
        ({ message }: ApiError) =>
          setLink({ error: message, code: message === CODE_ELSEWHERE ? secret : undefined }),
      )
    }
    redeemOpened()
    // Opening a link in the same tab changes only the fragment, and doesn't reload the page.
    const onHashChange = () => {
      opened = takeSecret()
      redeemOpened()
    }
    window.addEventListener('hashchange', onHashChange)
    return () => window.removeEventListener('hashchange', onHashChange)
  }, [])
  return link && { ...link, onClose: () => setLink(undefined) }
}
