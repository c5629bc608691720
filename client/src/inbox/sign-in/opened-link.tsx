import { useNotify } from '../frame/notices.ts'
import { Sheet } from '../ui/sheet.tsx'
import { Refusal, titleOf, useLanding } from './link-landing.tsx'

/** Redeems a sign-in link that was opened while somebody was signed in, and says what happened. */
export function OpenedLink() {
  const notify = useNotify()
  const landing = useLanding(({ owner }) =>
    notify({ kind: 'done', text: `You are now signed in as ${owner}.` }),
  )
  if (!landing?.error) return null
  return (
    <Sheet title={titleOf(landing)} onClose={landing.onAgain}>
      <Refusal {...landing} />
    </Sheet>
  )
}
