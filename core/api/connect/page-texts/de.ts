import type { PageTexts } from './en.ts';

export const de: PageTexts = {
  session_expired:
    'Dieses Fenster wurde schon verwendet oder ist abgelaufen. Falls nichts verbunden ist, bitten Sie um einen neuen Link.',
  integration_unavailable: '{name} ist zurzeit nicht verfügbar.',
  connection_deleted: 'Diese Verbindung mit {name} gibt es nicht mehr. Es wurde nichts verbunden.',
  provider_denied: 'Der Zugriff auf {name} wurde nicht erlaubt. Es wurde nichts verbunden.',
  provider_error: '{name} hat ein Problem gemeldet.',
  foreign_response: 'Die Antwort kam nicht von {name}. Es wurde nichts verbunden.',
  approval_pending:
    'Die Freigabe von {name} steht noch aus. Bisher ist nichts verbunden. Beginnen Sie nach der Freigabe dort neu, wo Sie hergekommen sind.',
  foreign_installation: 'Diese Installation von {name} gehört nicht zu Ihren. Es wurde nichts verbunden.',
  not_begun_here:
    'Es wurde nichts verbunden, weil dies nicht in einer App begonnen hat, die es verwendet. Öffnen Sie diese App, und verbinden Sie dort.',
  cancelled: 'Dieser Versuch wurde abgebrochen oder durch einen anderen ersetzt. Es wurde nichts verbunden.',
  state_mismatch:
    'Dieser Versuch ist nicht mehr gültig, vielleicht weil ein anderer begonnen wurde. Falls nichts verbunden wurde, beginnen Sie neu.',
  already_connected:
    'Dieser Versuch ist nicht mehr gültig, weil er schon erfolgreich war: Ihr {name}-Konto ist verbunden. Sie können diesen Tab schließen.',
  still_running: 'Das dauert länger als üblich. Laden Sie diese Seite gleich noch einmal.',
  token_exchange_failed: '{name} hat Sie angemeldet, den Abschluss aber abgelehnt.',
  connection_refused: 'Die Verbindung mit {name} wurde nicht angenommen.',
  credentials_rejected: 'Der Zugriff auf {name} konnte nicht bestätigt werden. Es wurde nichts gespeichert.',
  wrong_account: 'Dies ist ein anderes {name}-Konto als das zuvor verbundene. Es wurde nichts geändert.',
  provider_unreachable: 'Von {name} kam keine brauchbare Antwort. Versuchen Sie es gleich noch einmal.',
  server_error: 'Bei uns ist ein Fehler aufgetreten.',
  unnamed: 'Der andere Dienst',
  connected: 'Verbunden',
  choosing: 'Fast fertig',
  attempt_over: 'Dieser Versuch ist beendet',
  not_yet: 'Noch nicht verbunden',
  not_connected: 'Nicht verbunden',
  not_reconnected: 'Nicht erneut verbunden',
  interrupted: 'Unterbrochen',
  connected_tab: 'Ihr {name}-Konto ist verbunden. Sie können diesen Tab schließen.',
  connected_window: 'Ihr {name}-Konto ist verbunden. Sie können dieses Fenster schließen.',
  limited: 'Dieser Zugriff kann befristet sein. Vielleicht werden Sie gebeten, sich erneut zu verbinden.',
  choose:
    'Gehen Sie zurück zu dem Fenster, in dem Sie begonnen haben, und wählen Sie aus, was Sie verbinden möchten. Noch ist nichts verbunden.',
  go_back: 'Gehen Sie zurück zum ersten Fenster.',
  for_whom: 'Dies war für {who}.',
  reference: 'Referenz: {id}',
  close_window: 'Fenster schließen',
  refused_expired:
    'Dieses Fenster ist abgelaufen. Bitten Sie um einen neuen Link. Falls Sie schon verbunden sind, können Sie diesen Tab schließen.',
  refused_details: 'Einige Angaben fehlen oder haben die falsche Form. Gehen Sie zurück, und prüfen Sie sie.',
  refused_unavailable:
    'Dieses Konto kann zurzeit nicht verbunden werden. Die Einrichtung dort, wo Sie herkommen, ist noch nicht abgeschlossen.',
  refused_unreachable: 'Vom anderen Dienst kam keine brauchbare Antwort. Versuchen Sie es gleich noch einmal.',
  refused_attempts: 'Zu viele Versuche. Warten Sie eine Minute.',
  refused_nothing: 'Unter dieser Adresse gibt es nichts. Öffnen Sie noch einmal den Link, den Sie erhalten haben.',
  refused_too_long: 'Diese Adresse ist zu lang. Öffnen Sie noch einmal den Link, den Sie erhalten haben.',
  refused_response:
    'Der andere Dienst hat eine Antwort gesendet, die nicht gelesen werden kann. Gehen Sie zurück und versuchen Sie es erneut.',
  refused_interrupted:
    'Der Dienst wurde unterbrochen; es ist nicht bekannt, ob dies gelungen ist. Sehen Sie in der App nach, aus der Sie kommen, und versuchen Sie es dann erneut.',
  refused_otherwise: 'Bei uns ist ein Fehler aufgetreten. Versuchen Sie es gleich noch einmal.',
  launch_opening: 'Wird geöffnet …',
  launch_slow: 'Noch hier? Schließen Sie dieses Fenster, und versuchen Sie es erneut.',
  launch_over_title: 'Nichts zu öffnen',
  launch_over: 'Dieses Fenster wird nicht mehr gebraucht',
  launch_over_lead: 'Gehen Sie zurück zum ersten Fenster, und beginnen Sie dort neu, falls nichts verbunden ist.',
  launch_script: 'Diese Seite braucht JavaScript. Erlauben Sie es, gehen Sie zurück, und beginnen Sie neu.',
};
