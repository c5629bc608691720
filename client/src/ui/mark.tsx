import { bobShape } from '#brand/mark.ts'

type Props = { className?: string | undefined }

/** The logo. */
export function Bob({ className }: Props) {
  return (
    <svg className={className} viewBox="0 0 20 36" width="20" height="36" aria-hidden="true">
      <path d={bobShape.string} fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d={bobShape.body} fill="var(--color-bob, var(--color-action))" />
      <path
        d={bobShape.ring}
        fill="none"
        stroke="var(--color-bob-line, var(--color-background))"
        strokeWidth="1.25"
      />
    </svg>
  )
}
