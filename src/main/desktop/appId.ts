/**
 * By this name Windows groups the app's windows and shows its announcements. It is that of the link which the installer
 * makes; another one, and announcements are silently dropped.
 */
export const APP_ID = 'app.interject.desktop';
