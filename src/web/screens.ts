import type { ComponentType } from 'preact';
import type { Me } from './me.js';

/** What each screen gets. A screen is one folder, `<name>/<name>.tsx`, loaded when it is first shown. */
export type ScreenProps = {
  readonly pair: {
    /** From the link that opened the page. */
    readonly code?: string;
    /** This browser was paired before. */
    readonly hasEnded: boolean;
    readonly onPaired: () => void;
    /** Called if the code of the link is no longer valid, for a browser that does not need it. */
    readonly onRefused?: () => void;
  };
  readonly list: {
    readonly me: Me;
    readonly onOpen: (taskId: string) => void;
    /** The server no longer knows this browser. */
    readonly onUnpaired: () => void;
    readonly onShow: (dialog: Dialogs) => void;
  };
  readonly share: { readonly me: Me; readonly taskId?: string; readonly onClose: () => void };
  readonly settings: { readonly me: Me; readonly onShow: (dialog: Dialogs) => void; readonly onClose: () => void };
  /** Of one task, or of all. */
  readonly activity: { readonly taskId?: string; readonly onClose: () => void };
};

/** Screens that are shown over another one. */
export type Dialogs = 'share' | 'settings' | 'activity';

type Loaders = { readonly [Name in keyof ScreenProps]?: () => Promise<ComponentType<ScreenProps[Name]>> };

export const screens: Loaders = {
  list: async () => (await import('./list/list.js')).ListScreen,
  pair: async () => (await import('./pair/pair.js')).PairScreen,
  share: async () => (await import('./share/share.js')).ShareScreen,
  activity: async () => (await import('./activity/activity.js')).ActivityScreen,
  settings: async () => (await import('./settings/settings.js')).SettingsScreen,
};
