import type { ComponentType } from 'preact';
import type { Me } from './me.js';

/** What each screen gets. A screen is one folder, `<name>/<name>.tsx`, loaded when it is first shown. */
export type ScreenProps = {
  /** `code`: from the link that opened the page. `hasEnded`: this browser was paired before. */
  readonly pair: { readonly code?: string; readonly hasEnded: boolean; readonly onPaired: () => void };
  readonly list: {
    readonly me: Me;
    readonly onOpen: (taskId: string) => void;
    /** The server no longer knows this browser. */
    readonly onUnpaired: () => void;
    readonly onShow: (dialog: Dialogs) => void;
  };
  readonly share: { readonly me: Me; readonly taskId?: string; readonly onClose: () => void };
  readonly settings: { readonly me: Me; readonly onClose: () => void };
};

/** Screens that are shown over another one. */
export type Dialogs = 'share' | 'settings';

type Loaders = { readonly [Name in keyof ScreenProps]?: () => Promise<ComponentType<ScreenProps[Name]>> };

export const screens: Loaders = {
  list: async () => (await import('./list/list.js')).ListScreen,
  pair: async () => (await import('./pair/pair.js')).PairScreen,
  share: async () => (await import('./share/share.js')).ShareScreen,
  settings: async () => (await import('./settings/settings.js')).SettingsScreen,
};
