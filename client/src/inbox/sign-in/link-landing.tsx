import { useEffect, useEffectEvent, useState } from 'react'
import { CODE_ELSEWHERE, type Session, showCode } from '#shared/inbox/api.ts'
import { Button } from '../../ui/button.tsx'
import { ApiError } from '../data/api.ts'
import { redeemCode, redeemLink } from '../data/sign-in.ts'
import { takeFragment } from '../early-requests.ts'
import styles from './sign-in.module.css'

type Landing = {
  error?: string | undefined
  /** The code that another browser has to redeem. */
  code?: string | undefined
  onAgain: () => void
}

/**
 * If the page was opened with a sign-in code or link, redeems it. Otherwise, returns undefined. Mail programs often open
 * links in their own browser, which can't redeem a code that another browser requested. In that case, the page shows the
 * code, so that the owner can type it in the other browser.
 */
export function useLanding(onSignedIn: (session: Session) => void = () => {}): Landing | undefined {
  const [landing, setLanding] = useState<Omit<Landing, 'onAgain'>>()
  const signedIn = useEffectEvent(onSignedIn)

  useEffect(() => {
    const redeem = (fragment: string) => {
      const [kind, secret = ''] = fragment.split('=')
      if (kind !== 'code' && kind !== 'link') return
      setLanding({})
      const refused = (problem: unknown) => {
        const error = problem instanceof ApiError ? problem.message : String(problem)
        setLanding({ error, code: error === CODE_ELSEWHERE ? secret : undefined })
      }
      ;(kind === 'code' ? redeemCode(secret) : redeemLink(secret)).then(
        (session) => signedIn(session),
        refused,
      )
    }
    // Opening a link in the same tab changes only the fragment, and doesn't reload the page.
    const onHashChange = () => {
      const fragment = location.hash.slice(1)
      if (!fragment) return
      history.replaceState(history.state, '', location.pathname + location.search)
      redeem(fragment)
    }
    redeem(takeFragment())
    window.addEventListener('hashchange', onHashChange)
    return () => window.removeEventListener('hashchange', onHashChange)
  }, [])

  return landing && { ...landing, onAgain: () => setLanding(undefined) }
}

export const titleOf = ({ code }: Landing): string => (code ? 'Your code' : 'This link does not work')

export function LinkLanding(landing: Landing) {
  const { code, error, onAgain } = landing
  if (!error) return <p role="status">Signing in…</p>
  return (
    <>
      <h1>{titleOf(landing)}</h1>
      <Refusal code={code} error={error} />
      <Button kind="plain" onClick={onAgain}>
        Sign in here instead
      </Button>
    </>
  )
}

/** Says why the link did not sign the owner in, and shows the code if another browser can redeem it. */
export function Refusal({ code, error }: Pick<Landing, 'code' | 'error'>) {
  return (
    <>
      {code && <p className={styles.code}>{showCode(code)}</p>}
      <p role="alert">{error}</p>
    </>
  )
}
