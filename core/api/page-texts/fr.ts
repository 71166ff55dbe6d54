import type { PageTexts } from './en.ts';

export const fr: PageTexts = {
  session_expired: 'Cette fenêtre a expiré. Demandez un nouveau lien.',
  integration_unavailable: '{name} n’est pas disponible pour le moment.',
  provider_denied: 'L’accès à {name} n’a pas été autorisé. Rien n’a été connecté.',
  provider_error: '{name} a signalé un problème.',
  foreign_response: 'La réponse ne vient pas de {name}. Rien n’a été connecté.',
  approval_pending:
    'Quelqu’un doit d’abord approuver {name} ; rien n’est encore connecté. Après l’approbation, recommencez là d’où vous veniez.',
  foreign_installation: 'Cette installation de {name} ne fait pas partie des vôtres. Rien n’a été connecté.',
  not_begun_here:
    'Rien n’a été connecté, car ceci n’a pas commencé dans une application qui l’utilise. Ouvrez cette application et connectez-vous-y.',
  cancelled: 'Cette tentative a été annulée ou remplacée par une autre. Rien n’a été connecté.',
  state_mismatch:
    'Cette tentative n’est plus valable, peut-être parce qu’une autre a commencé. Si rien n’a été connecté, recommencez.',
  already_connected:
    'Cette tentative n’est plus valable, car elle a déjà réussi : votre compte {name} est connecté. Vous pouvez fermer cet onglet.',
  still_running: 'Cela prend plus de temps que d’habitude. Rechargez cette page dans un instant.',
  token_exchange_failed: '{name} vous a reconnu mais a refusé de terminer.',
  connection_refused: 'La connexion à {name} n’a pas été acceptée.',
  credentials_rejected: '{name} n’a pas accepté ces informations. Vérifiez-les et réessayez.',
  wrong_account: 'Ce compte {name} n’est pas celui qui était connecté. Rien n’a été modifié.',
  provider_unreachable: 'Impossible de joindre {name}. Réessayez dans un instant.',
  server_error: 'Une erreur s’est produite de notre côté.',
  unnamed: 'L’autre service',
  connected: 'Connecté',
  choosing: 'Presque terminé',
  attempt_over: 'Cette tentative est terminée',
  not_yet: 'Pas encore connecté',
  not_connected: 'Non connecté',
  interrupted: 'Interrompu',
  connected_tab: 'Votre compte {name} est connecté. Vous pouvez fermer cet onglet.',
  connected_window: 'Votre compte {name} est connecté. Vous pouvez fermer cette fenêtre.',
  limited: 'Cet accès peut être limité dans le temps. Une nouvelle connexion vous sera peut-être demandée.',
  choose: 'Revenez à la fenêtre où vous avez commencé et choisissez ce que vous voulez connecter. Rien n’est encore connecté.',
  go_back: 'Revenez à la première fenêtre.',
  for_whom: 'C’était pour {who}.',
  reference: 'Référence : {id}',
  close_window: 'Fermer la fenêtre',
  refused_expired:
    'Cette fenêtre a expiré. Demandez un nouveau lien. Si vous avez déjà connecté votre compte, vous pouvez fermer cet onglet.',
  refused_details: 'Des informations manquent ou n’ont pas la bonne forme. Revenez en arrière et vérifiez-les.',
  refused_unavailable:
    'Ce compte ne peut pas être connecté pour le moment. La configuration doit d’abord être terminée là d’où vous venez.',
  refused_unreachable: 'Impossible de joindre l’autre service. Réessayez dans un instant.',
  refused_attempts: 'Trop de tentatives. Attendez une minute.',
  refused_nothing: 'Il n’y a rien à cette adresse. Ouvrez à nouveau le lien que vous avez reçu.',
  refused_too_long: 'Cette adresse est trop longue. Ouvrez à nouveau le lien que vous avez reçu.',
  refused_interrupted:
    'Le service a été interrompu ; on ne sait pas si cela a fonctionné. Vérifiez dans l’application d’où vous venez, puis réessayez.',
  refused_otherwise: 'Une erreur s’est produite de notre côté. Réessayez dans un instant.',
  launch_opening: 'Ouverture…',
  launch_slow: 'Toujours ici ? Fermez cette fenêtre et réessayez.',
  launch_over_title: 'Rien à ouvrir',
  launch_over: 'Cette fenêtre n’est plus utile',
  launch_over_lead: 'Revenez à la première fenêtre et recommencez-y si rien n’est connecté.',
  launch_script: 'Cette page a besoin de JavaScript. Autorisez-le, revenez en arrière et recommencez.',
};
