import { mark } from '#brand/mark.ts'

type Props = { className?: string | undefined; isHanging?: boolean }

const colors = {
  none: 'none',
  text: 'currentColor',
  accent: 'var(--color-action)',
  background: 'var(--color-background)',
}

/** The logo. `isHanging`: without its string. */
export function Mark({ className, isHanging = false }: Props) {
  const { width, height, paths } = mark
  return (
    <svg
      className={className}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      {paths
        .filter(({ isString }) => !(isHanging && isString))
        .map(({ d, fill, stroke, strokeWidth }) => (
          <path
            key={d}
            d={d}
            fill={colors[fill]}
            stroke={stroke && colors[stroke]}
            strokeWidth={strokeWidth}
          />
        ))}
    </svg>
  )
}
