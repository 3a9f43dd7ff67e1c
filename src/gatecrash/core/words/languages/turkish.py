"""Turkish and Indonesian words of addresses and fields."""

from typing import Final

TURKISH: Final = {
    "login": "giriş|giris yap|oturum aç|masuk",
    "logout": "çıkış|cikis yap|oturum kapat|oturumu kapat|keluar",
    "register": "kayıt|kayıt ol|üye ol|daftar|pendaftaran",
    "password": "şifre|parola|kata sandi|katasandi",
    "old_password": "eski şifre|mevcut şifre|kata sandi lama",
    "new_password": "yeni şifre|kata sandi baru",
    "username": "kullanıcı adı|kullaniciadi|nama pengguna",
    "user": "kullanıcı|pengguna",
    "users": "kullanıcılar",
    "email": "eposta|e posta|surel",
    "account": "hesap|hesabım|akun",
    "role": "rol adı|peran",
    "owner": "sahip|pemilik",
    "customer": "müşteri|pelanggan",
    "customers": "müşteriler",
    "phone": "telefon numarası|telepon",
    "address": "adres bilgisi|alamat",
    "salary": "maaş|gaji",
    "delete": "sil|hapus",
    "edit": "düzenle|ubah",
    "update": "güncelle|perbarui",
    "save": "kaydet|simpan",
    "create": "oluştur|ekle|tambah",
    "cancel": "iptal|batal",
    "settings": "ayarlar|pengaturan",
    "search": "cari",
}
