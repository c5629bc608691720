import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react'
import { FRESH_MINUTES, type Session } from '#shared/inbox/api.ts'
import { serverNow, setPageOwner } from '../data/api.ts'
import { forgetTyped, sessionQuery } from '../data/queries.ts'
import { isSameOwner, keepTyped } from '../data/typed.ts'
import { SignInForm } from '../sign-in/sign-in-form.tsx'
import { SignInPage, useOpenedLink } from '../sign-in/sign-in-page.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Opening } from './other-pages.tsx'

// Asks for a sign-in a bit early, so that it is still recent when the server gets the request.
const MARGIN_MS = 30_000

type Owner = {
  session: Session
  isSignedIn: boolean
  /**
   * Asks the owner to sign in again, and shows `why`. Resolves to
   * false if the owner closes the dialog.
   */
  signInAgain: (why: string) => Promise<boolean>
}

const SessionContext = createContext<Owner | undefined>(undefined)

/** Who is signed in. Use it only inside `SessionGate`. */
export function useOwner(): Owner {
  const owner = useContext(SessionContext)
  if (!owner) throw new Error('useOwner works only inside SessionGate.')
  return owner
}

/**
 * If the last sign-in isn't recent, asks the owner to sign in again.
 * Resolves to false if the owner gave up.
 */
export function useFresh(): (why: string) => Promise<boolean> {
  const { session, signInAgain } = useOwner()
  return async (why) => {
    const ageMs = serverNow() - Date.parse(session.signedInAt)
    return ageMs < FRESH_MINUTES * 60_000 - MARGIN_MS || signInAgain(why)
  }
}

/**
 * Shows the inbox to owners and the sign-in page to everybody else, at the same URL. If a
 * session ends, the page stays behind the sign-in dialog, with everything that was typed.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const { data: found } = useQuery(sessionQuery)
  const session = useLastSession(found)
  const link = useOpenedLink()
  const { question, signInAgain, answer } = useQuestion(session)
  const owner = session?.owner
  useEffect(() => (owner ? keepTyped(owner) : undefined), [owner])
  if (link) return <SignInPage link={link} />
  if (!session)
    return found === null ? <SignInPage /> : <Opening>The server is not responding. Trying again…</Opening>

  // False for another owner, until the page loads again.
  const isSignedIn = found?.owner === session.owner
  return (
    <SessionContext value={{ session, isSignedIn, signInAgain }}>
      {children}
      {!isSignedIn && (
        <Sheet key="ended" title="Please sign in again" isBlocking>
          <p>You've been signed out. What you typed is still here.</p>
          <SignInForm owner={session.owner} />
        </Sheet>
      )}
      {question && isSignedIn && (
        <Sheet key="again" title="Confirm it's you" onClose={() => answer(false)}>
          <p>{question.why}</p>
          <SignInForm owner={session.owner} />
        </Sheet>
      )}
    </SessionContext>
  )
}

/**
 * The session, even after it has ended. If another owner signs in,
 * loads a new page, so that nothing personal stays.
 */
function useLastSession(found: Session | null | undefined) {
  const [last, setLast] = useState(found)
  const isOther = found && last && !isSameOwner(found.owner, last.owner)
  useEffect(() => {
    if (isOther) {
      // Otherwise, closing this page would save what the previous owner
      // typed as a draft of the new owner.
      forgetTyped()
      location.reload()
    } else if (found) {
      setPageOwner(found.owner)
      setLast(found)
    }
  }, [found, isOther])
  return isOther ? last : (found ?? last)
}

function useQuestion(session: Session | null | undefined) {
  const [question, setQuestion] = useState<{ why: string; answer: (isSignedIn: boolean) => void }>()
  const signInAgain = (why: string) => new Promise<boolean>((answer) => setQuestion({ why, answer }))
  const answer = (isSignedIn: boolean) => {
    question?.answer(isSignedIn)
    setQuestion(undefined)
  }
  // The dialog also closes after a sign-in in another tab.
  const signedInAt = session?.signedInAt
  const signedIn = useEffectEvent(() => answer(true))
  useEffect(() => {
    if (signedInAt) signedIn()
  }, [signedInAt])
  return { question, signInAgain, answer }
}
