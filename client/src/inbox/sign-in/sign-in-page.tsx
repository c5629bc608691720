import { useEffect } from 'react'
import { brand } from '#facts/brand.ts'
import { Mark } from '../../ui/mark.tsx'
import { forgetEarly } from '../early-requests.ts'
import { useShowApp } from '../frame/app-element.ts'
import { LinkLanding, useLanding } from './link-landing.tsx'
import styles from './sign-in.module.css'
import { SignInForm } from './sign-in-form.tsx'

/** The page for people who aren't signed in. */
export function SignInPage() {
  const landing = useLanding()
  useShowApp()
  useEffect(() => {
    forgetEarly()
    document.title = `Sign in: ${brand.name}`
    return () => {
      document.title = `Inbox: ${brand.name}`
    }
  }, [])
  return (
    <main className={styles.page}>
      <p className={styles.brand}>
        <Mark className={styles.bob} /> {brand.name} inbox
      </p>
      {landing ? (
        <LinkLanding {...landing} />
      ) : (
        <>
          <h1>Sign in</h1>
          <SignInForm />
        </>
      )}
    </main>
  )
}
