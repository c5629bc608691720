import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './styles/inbox.css'

createRoot(document.getElementById('root') as HTMLElement).render(<StrictMode>Inbox</StrictMode>)
