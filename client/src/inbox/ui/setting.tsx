import type { ReactNode } from 'react'

/** Whether a setting of this browser is on, as it is at first, and if the browser stores nothing. */
export function isOn(setting: string): boolean {
  try {
    return localStorage.getItem(setting) !== 'off'
  } catch {
    return true
  }
}

/** A box that turns a setting of this browser on and off. */
export const SettingBox = ({ setting, children }: { setting: string; children: ReactNode }) => (
  <label className="touch">
    <input
      type="checkbox"
      defaultChecked={isOn(setting)}
      onChange={({ target }) => localStorage.setItem(setting, target.checked ? 'on' : 'off')}
    />
    {children}
  </label>
)
