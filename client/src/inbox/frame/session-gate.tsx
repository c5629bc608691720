import { type ReactNode, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Session } from '#shared/inbox/api.ts'
import { useSession } from '../data/use-session.ts'
import { SignInForm } from '../sign-in/sign-in-form.tsx'
import { SignInPage } from '../sign-in/sign-in-page.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Opening } from './opening.tsx'
import { SessionContext, type SignInAgain } from './session.ts'

/**
 * Shows the inbox to owners and the sign-in page to everybody else, at the same URL. If a session ends, the page stays
 * behind the sign-in dialog, with everything that was typed.
 */
export function SessionGate({ children }: { children: ReactNode }) {
  const state = useSession()
  const [last, setLast] = useState<Session>()
  const [question, setQuestion] = useState<{ why: string; answer: (isSignedIn: boolean) => void }>()
  const asked = useRef(question)
  asked.current = question

  useEffect(() => {
    if (state.name === 'signed-in') setLast(state.session)
  }, [state])

  const signInAgain = useCallback<SignInAgain>(
    (why) => new Promise((answer) => setQuestion({ why, answer })),
    [],
  )
  const answer = (isSignedIn: boolean) => {
    asked.current?.answer(isSignedIn)
    setQuestion(undefined)
  }

  const session = state.name === 'signed-in' ? state.session : last
  // The sheet "Confirm it's you" also closes after a sign-in in another tab.
  const signedInAt = session?.signedInAt
  const signedIn = useEffectEvent(() => answer(true))
  useEffect(() => {
    if (signedInAt) signedIn()
  }, [signedInAt])
  if (!session) return state.name === 'loading' ? <Opening /> : <SignInPage />
  const isEnding = state.name === 'signed-in' && state.isEnding && !question
  return (
    <SessionContext value={{ session, isEnding, signInAgain }}>
      {children}
      {state.name === 'signed-out' && (
        <Sheet key="ended" title="Please sign in again" isBlocking onClose={() => {}}>
          <p>You've been signed out. What you typed is still here.</p>
          <SignInForm />
        </Sheet>
      )}
      {question && state.name === 'signed-in' && (
        <Sheet key="again" title="Confirm it's you" onClose={() => answer(false)}>
          <p>{question.why}</p>
          <SignInForm owner={session.owner} onSignedIn={() => answer(true)} />
        </Sheet>
      )}
    </SessionContext>
  )
}
