"""Russian words of addresses and fields, in Cyrillic and in Latin letters."""

from typing import Final

RUSSIAN: Final = {
    "login": "вход|войти|авторизация|vhod|vkhod|vojti|voiti|avtorizaciya|avtorizatsiya",
    "logout": "выход|выйти|vyhod|vykhod|vyiti",
    "register": "регистрация|зарегистрироваться|registraciya|registratsiya",
    "password": "пароль|parol",
    "old_password": "старый пароль|stary parol|staryj parol",
    "new_password": "новый пароль|novy parol|novyj parol",
    "username": "имя пользователя|логин|imya polzovatelya",
    "user": "пользователь|polzovatel",
    "users": "пользователи|polzovateli",
    "email": "почта|эл почта|pochta",
    "account": "аккаунт|учетная запись|akkaunt|lichnyj kabinet|lichnyy kabinet|личный кабинет",
    "profile": "профиль|profil polzovatelya",
    "role": "роль",
    "owner": "владелец|vladelec",
    "customer": "клиент|klient id",
    "name": "имя|imya",
    "last_name": "фамилия|familiya",
    "phone": "телефон",
    "address": "адрес",
    "salary": "зарплата|zarplata",
    "delete": "удалить|удаление|udalit",
    "edit": "редактировать|изменить|redaktirovat|izmenit",
    "save": "сохранить|sohranit",
    "cancel": "отменить|otmenit",
    "settings": "настройки|nastrojki|nastroyki",
    "search": "поиск|poisk",
    "error": "ошибка",
    "message": "сообщение",
}
