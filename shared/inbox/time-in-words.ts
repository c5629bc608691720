/** 48 -> "48 min", 150 -> "2.5 h", 3000 -> "2 days". */
export function timeInWords(minutes: number): string {
  if (minutes < 100) return `${Math.round(minutes)} min`
  if (minutes < 36 * 60) return `${Math.round(minutes / 6) / 10} h`
  return `${Math.round(minutes / 1440)} days`
}
