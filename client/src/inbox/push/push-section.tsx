import { Button } from '../../ui/button.tsx'
import { usePush, whyNoPush } from './push.ts'

/** Turns messages on this device on and off. */
export function PushSection() {
  const reason = whyNoPush()
  return (
    <section className="stack">
      <h2>Messages on this device</h2>
      <p>
        You hear at once of a new request, a reply, a promise that is due soon, and an answer that did not
        arrive.
      </p>
      {reason ? <p>{reason}</p> : <Switches />}
    </section>
  )
}

function Switches() {
  const { state, turnOn, turnOff } = usePush()
  const isPending = turnOn.isPending || turnOff.isPending
  const error = turnOn.error ?? turnOff.error
  return (
    <>
      {state?.hasEnded && <p role="alert">Messages on this device have stopped. Turn them on again.</p>}
      {state?.isOn && (
        <label className="touch">
          <input
            type="checkbox"
            checked={state.showsContent}
            aria-disabled={isPending || undefined}
            onChange={({ target }) => isPending || turnOn.mutate(target.checked)}
          />
          <span>Show names and first words, also on a locked screen</span>
        </label>
      )}
      <p>
        <Button
          kind="plain"
          disabled={!state}
          isWorking={isPending}
          onClick={() => (state?.isOn ? turnOff.mutate() : turnOn.mutate(true))}
        >
          {state?.isOn ? 'Turn off messages' : 'Tell me on this device'}
        </Button>
      </p>
      <p role="status">{error?.message}</p>
    </>
  )
}
